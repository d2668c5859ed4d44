/** The options of `svccmd encpwd`. */
export interface EncpwdOptions {
  readonly keyFile?: string;
  readonly recipient?: readonly string[];
  readonly for?: string;
  readonly yaml?: true;
  readonly set?: string;
  readonly file?: readonly string[];
  readonly rotate?: readonly string[];
  readonly oldKeyFile?: readonly string[];
  readonly toRecipient?: readonly string[];
  readonly keepGoing?: true;
  readonly dryRun?: true;
}
