import { RegistryError } from '../errors/registry-error.js';

/** Also for a Client that does not exist: the answer must not reveal whether it does. */
export function registrationTokenInvalid(isPresented: boolean): RegistryError {
  return new RegistryError(
    isPresented ? 'token_invalid' : 'token_missing',
    'the registration access token is not valid for this Client',
  );
}

/** The registration access token is valid, but an administrator has disabled its Client. */
export function registrationDisabled(): RegistryError {
  return new RegistryError(
    'registration_disabled',
    'this Client is disabled; ask the administrator of the registry',
  );
}
