/** A URL's host, an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: URL): string => withoutBrackets(hostname);

/** A URL's port, or that of its scheme, http or https. */
export const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80);

export const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '');
