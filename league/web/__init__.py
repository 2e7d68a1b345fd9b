"""What all apps need for requests and pages."""
