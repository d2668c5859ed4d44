import { defaultOf, type Capabilities } from '../fields/capabilities.js';
import type { ClientMetadata } from '../fields/client-metadata.js';
import { CLIENT_FIELDS } from '../fields/client-fields.js';
import type { Problem } from '../violations/violation.js';
import { CLIENT_RULES } from './client-rules.js';
import { warningsOf } from './client-warnings.js';
import { judgeField, type FieldContext } from './validate-field.js';

/** What is thought of a Client: its metadata as it will be stored, or every problem found. */
export type Judgement =
  | {
      readonly valid: true;
      readonly metadata: ClientMetadata;
      /** The client_id asked for, at registration. */
      readonly preferredClientId?: string;
      readonly warnings: readonly Problem[];
    }
  | { readonly valid: false; readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] };

/** A Client's state to be: the values by the names of the fields. A Map, so no name can reach a prototype. */
export type Candidate = ReadonlyMap<string, unknown>;

/** The rows whose values make up the stored metadata. */
export const EDITABLE_FIELDS = CLIENT_FIELDS.filter((field) => field.editable === 'always');

const JUDGED_FIELDS = CLIENT_FIELDS.filter((field) => field.editable !== 'never');

/**
 * The one function that judges a Client: registration, update, patch, import, bulk and public registration all bring
 * their final merged state here. Defaults are filled in, each field is judged by its row of the table, then the rules
 * between fields are asked.
 */
export function judgeClient(candidate: Candidate, capabilities: Capabilities): Judgement {
  const context: FieldContext = { applicationType: String(candidate.get('application_type')), capabilities };
  const problems: Problem[] = [];
  const values = new Map<string, unknown>();
  for (const field of JUDGED_FIELDS) {
    const verdict = judgeField(field, candidate.get(field.name) ?? defaultOf(field, capabilities), context);
    if ('problems' in verdict) problems.push(...verdict.problems);
    else if (verdict.value !== undefined) values.set(field.name, verdict.value);
  }
  const preferredClientId = values.get('preferred_client_id');
  values.delete('preferred_client_id');
  // Every row was judged, so what the rules read is of the type that ClientMetadata derives from the same rows.
  const metadata = Object.fromEntries(values) as ClientMetadata;
  problems.push(...brokenRules(metadata));
  if (problems.length > 0) return { valid: false, problems, warnings: [] };
  return {
    valid: true,
    metadata,
    ...(typeof preferredClientId === 'string' && { preferredClientId }),
    warnings: warningsOf(metadata, capabilities),
  };
}

function brokenRules(metadata: ClientMetadata): Problem[] {
  return CLIENT_RULES.filter(({ reads }) => reads.every((name) => metadata[name] !== undefined)).flatMap(
    ({ code, problems }) => problems(metadata).map((problem) => ({ ...problem, code })),
  );
}
