"""What every app does with the database: transactions, many rows, packed documents."""
