"""The call shapes of other packages, with assize behind them."""
