/**
 * Where things are in the memory of an instance that reads rows. Pages that are not used take no room, so the sizes are
 * those of the largest input.
 */
export namespace Input {
  export const at: usize = 1 << 16;
  /** A row of 1 MiB, a piece of 1 MiB, and what is read behind their end. */
  export const bytes: usize = (2 << 20) + (1 << 16);
}

/** Rows waiting to be taken, of each family. */
export namespace Rows {
  export const maxRows: u32 = 1 << 14;
  export const ipv4At: usize = Input.at + Input.bytes;
  export const ipv6At: usize = ipv4At + <usize>maxRows * 16;
  export const end: usize = ipv6At + <usize>maxRows * 40;
}

export namespace Texts {
  /** The last table is at most half full. */
  export const maxTexts: u32 = (1 << 21) - 1;
  export const slotsAt: usize = Rows.end;
  /** The last table, and a third of it for those before. */
  export const textsAt: usize = slotsAt + (48 << 20);
  export const end: usize = textsAt + (176 << 20);
}

/** The values and records of texts that were read by the engine. */
export namespace Values {
  export const maxEntries: u32 = (1 << 21) - 1;
  /** An entry of the longest row, encoded. */
  export const entryAt: usize = Texts.end;
  export const placesAt: usize = entryAt + (2 << 20);
  export const slotsAt: usize = placesAt + (8 << 20);
  export const valuesAt: usize = slotsAt + (48 << 20);
  export const valuesEnd: usize = valuesAt + (64 << 20);
  export const recordPlacesAt: usize = valuesEnd;
  export const recordSlotsAt: usize = recordPlacesAt + (8 << 20);
  export const recordsAt: usize = recordSlotsAt + (48 << 20);
  export const end: usize = recordsAt + (100 << 20);
}

/** What another thread read, see `numbered.ts`. */
export namespace Numbered {
  /** Rows of each family. */
  export const ipv4At: usize = Values.end;
  export const ipv6At: usize = ipv4At + <usize>Rows.maxRows * 16;
  /** The payload of each text. */
  export const payloadsAt: usize = ipv6At + <usize>Rows.maxRows * 40;
  /** New texts: those of a piece of 1 MiB, with what the table adds to each. */
  export const textsAt: usize = payloadsAt + ((<usize>Texts.maxTexts + 1) << 2);
  export const end: usize = textsAt + (16 << 20);
}
