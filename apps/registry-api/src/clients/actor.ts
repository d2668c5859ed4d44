/** Who changes a Client, for its history. */
export interface Actor {
  /** Id of the token. */
  readonly id: string;
  readonly name: string;
  /** Address the request came from. */
  readonly address: string;
}
