//! The laws that every registered notation keeps, run over the whole registry.
