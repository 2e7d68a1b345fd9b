"""Pages that show several parts of the league together, and the frame around all pages."""
