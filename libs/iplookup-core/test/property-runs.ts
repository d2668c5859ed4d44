/**
 * How many times a property is tried: a fifth of `whole`, since every run of the tests tries other values; all of it with
 * `WHOLE_PROPERTIES=1`, as each night.
 */
export const runs = (whole: number): number =>
  process.env['WHOLE_PROPERTIES'] === '1' ? whole : Math.ceil(whole / 5);
