import type { RuleViolation } from '@svc/foundation';

/** The longest key: a prefix of 253 characters, a slash, and a name of 63. */
export const MAX_LABEL_KEY_LENGTH = 317;

/** A name or a value: letters, digits, `-`, `_` and `.`, the first and last a letter or digit. */
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;

/** A DNS subdomain (RFC 1123). */
const PREFIX = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;

const NAME_RULE = 'of at most 63 letters, digits, - _ and ., and begin and end with a letter or digit';

/** The keys that Kubernetes allows: a name, after a DNS subdomain and a slash if it has a prefix. */
export function isLabelKey(key: string): boolean {
  const slash = key.indexOf('/');
  if (slash < 0) return NAME.test(key);
  return PREFIX.test(key.slice(0, slash)) && NAME.test(key.slice(slash + 1));
}

/** The values that Kubernetes allows: a name, or nothing. */
export function isLabelValue(value: string): boolean {
  return value === '' || NAME.test(value);
}

export function labelKeyViolations(key: string): RuleViolation[] {
  if (isLabelKey(key)) return [];
  return [
    {
      code: 'label_key',
      message: `must be ${NAME_RULE}, after a DNS name and a slash if it has a prefix`,
    },
  ];
}

export function labelValueViolations(value: string): RuleViolation[] {
  if (isLabelValue(value)) return [];
  return [{ code: 'label_value', message: `must have a value that is empty or ${NAME_RULE}` }];
}

/** A label as filters and messages write it: `team:shop`; neither part can contain a colon. */
export function formatLabel(key: string, value: string): string {
  return `${key}:${value}`;
}

/** @returns undefined if the text is not a label; without a colon, `value` is undefined: any value */
export function parseLabel(
  text: string,
): { readonly key: string; readonly value: string | undefined } | undefined {
  const colon = text.indexOf(':');
  const key = colon < 0 ? text : text.slice(0, colon);
  const value = colon < 0 ? undefined : text.slice(colon + 1);
  return isLabelKey(key) && (value === undefined || isLabelValue(value)) ? { key, value } : undefined;
}
