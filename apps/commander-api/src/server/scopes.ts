/** What routes of the commander may ask for. Its one token carries them all. */
export const COMMANDER_SCOPES = [
  'passwords:encrypt',
  'library:read',
  'library:write',
  'iplookup:read',
  'iplookup:write',
  'metrics:read',
] as const;

export type CommanderScope = (typeof COMMANDER_SCOPES)[number];
