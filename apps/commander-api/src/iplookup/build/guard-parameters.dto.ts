import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsOptional, IsString, MaxLength } from 'class-validator';
import { Parameter } from './parameter.js';
import { Switch } from './switch-parameter.js';

/** The most probes of a request. */
const MAX_PROBES = 1000;

const Percentage = (description: string) =>
  Parameter(
    { type: String, description: `${description}, such as 5%.`, maxLength: 16 },
    Transform(({ value }: { value: unknown }) => (typeof value === 'number' ? String(value) : value)),
    IsOptional(),
    IsString(),
    MaxLength(16),
  );

const Texts = (description: string) =>
  Parameter(
    { type: [String], description, maxItems: MAX_PROBES },
    Transform(({ value }: { value: unknown }) => (value === undefined ? undefined : [value].flat())),
    IsOptional(),
    IsArray(),
    ArrayMaxSize(MAX_PROBES),
    IsString({ each: true }),
    MaxLength(1024, { each: true }),
  );

/** Guards that a new lookup must pass before it replaces the former one. */
export class GuardParameters {
  @Switch('The usual guards: verify, max_lost 5%, not_older.')
  readonly guards?: boolean;

  @Switch('The new lookup must be valid, as in GET /iplookup/{name}/verify.')
  readonly verify?: boolean;

  @Percentage('The largest share of the addresses with a record that may lose it')
  readonly max_lost?: string;

  @Texts(
    'The largest shares of the addresses with a value in a column that may change it, such as country_code=10%.',
  )
  readonly max_changed?: string[];

  @Percentage('The largest share of the addresses with a record that may have the same one')
  readonly max_share?: string;

  @Texts('Addresses, each with a column and the value it must have, such as 8.8.8.8 country_code US.')
  readonly probe?: string[];

  @Switch('The new lookup must not have been built before the previous one.')
  readonly not_older?: boolean;

  @Switch('Replace the previous lookup even if guards fail; the result names the token.')
  readonly force?: boolean;
}
