/** The console's redirect URI, to be registered at the issuer. */
export const RETURN_PATH = '/ui/signed-in';
