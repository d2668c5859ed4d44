import type { ConfigKey } from './config-key.js';

/** The keys of `[validate]`: rules for the declarations of a library. */
export const VALIDATE_KEYS: readonly ConfigKey[] = [
  {
    section: 'validate',
    key: 'schemas',
    type: 'schemas',
    default: '',
    example: 'Parsers/**/*.yaml: parser.schema.json',
    description:
      'JSON Schemas (draft 2020-12) for files: gitignore pattern, colon, file with the schema; several separated by commas',
  },
  {
    section: 'validate',
    key: 'tags',
    type: 'list',
    default: '',
    example: 'EVENT: scalar, EQ: sequence, REGEX: mapping',
    description:
      'the only YAML tags allowed, each with the kind of value it takes (scalar, sequence, mapping)',
  },
  {
    section: 'validate',
    key: 'includes',
    type: 'list',
    default: '',
    example: 'INCLUDE',
    description: 'YAML tags whose value is the path of another file in the library, which must exist',
  },
  {
    section: 'validate',
    key: 'sealed',
    type: 'list',
    default: '',
    example: '*password*, *secret*',
    description:
      'names of keys below which every value must be encrypted (!encpwd); * matches any characters',
  },
  {
    section: 'validate',
    key: 'plain_passwords',
    type: { oneOf: ['allow', 'warn', 'refuse'] },
    default: 'allow',
    description: 'what to do about passwords in plain text, found by the rules of "svccmd checkpwd"',
  },
  {
    section: 'validate',
    key: 'allow_plain',
    type: 'path',
    example: 'checkpwd.allow',
    description:
      'file of values that plain_passwords must not report: gitignore patterns of paths, optionally with fingerprints',
  },
  {
    section: 'validate',
    key: 'lookups',
    type: 'list',
    default: '',
    example: 'lookup',
    description:
      'names of keys whose values name lookups, which must be in the library or in iplookup.destination_path; * matches any characters',
  },
];
