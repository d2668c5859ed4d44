/** What a lookup file says of an address, by column: plain JSON, nested where the file is. */
export type Zone = Readonly<Record<string, unknown>>;

/** Where addresses lie. */
export interface Zones {
  /** @returns the record of the address's network; nothing when there is none, or `address` is no address */
  zoneOf(address: string): Zone | undefined;
}

/** Nest's injection token for the `Zones`; nothing is there when no lookup file is configured. */
export const ZONES = Symbol('Zones');
