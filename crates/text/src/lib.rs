//! What text is: normal forms, tokens, sentences, spans and quotes.
