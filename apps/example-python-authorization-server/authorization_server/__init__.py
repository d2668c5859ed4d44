"""An example authorization server that asks the client registry over HTTP about each request."""
