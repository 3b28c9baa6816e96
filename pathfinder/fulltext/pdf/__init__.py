"""PDF files, read with the help of pdfium."""
