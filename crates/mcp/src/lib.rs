//! The engine's work as tools of the Model Context Protocol.
