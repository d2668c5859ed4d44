import type { OptionMention } from '@svc/iplookup-core';

/** An option of a build as a parameter of a request, for messages: `include_ip_range`, `header: false`. */
export function asParameter({ option, value }: OptionMention): string {
  const name = option === 'inputFormat' ? 'input_ip_format' : toSnakeCase(option);
  if (value === false) return `${name}: false`;
  return value === undefined ? name : `${name} ${value}`;
}

/** `includeIpRange` is `include_ip_range` over HTTP. */
export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
