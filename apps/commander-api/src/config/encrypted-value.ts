/** Its value, or its tag in YAML, would be taken as it is. */
export const NOT_ENCRYPTED =
  "values of svccmd's own configuration cannot be encrypted or tagged; put a secret into a file, and name the file in the environment (SVCCMD_REGISTRY_TOKEN_FILE for registry.token) or, where there is one, in a key such as http.token_file";

/** True for a value with the mark of an encrypted password, as in the files that `svccmd encpwd` changes. */
export function isMarked(value: string | readonly string[]): boolean {
  return [value].flat().some((text) => /^!encpwd(-plain)?\s/.test(text));
}
