/** A shorter pepper could be guessed. In characters. */
export const MIN_PEPPER_LENGTH = 32;
