# The types of the extension module. One section per file of src/.

# lib.rs
__version__: str

# stream.rs

# source.rs

# Runs (validate, convert, measure, …)

# Games and notations
