/** Options that stand before the command, or, where the command has no option of that name, after it. */
export interface GlobalSettings {
  json: boolean;
  quiet: boolean;
  configFile: string | undefined;
}
