import type { FeatureField, FeatureTemplate } from '../api/client-documents.js';

export interface TemplateStart {
  /** The template's choices. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The template's names and URLs: shown as examples, never registered by mistake. */
  readonly examples: Readonly<Record<string, unknown>>;
}

export function startOf(
  template: FeatureTemplate | undefined,
  fields: readonly FeatureField[],
): TemplateStart {
  const chosen = new Set(fields.filter(isChosen).map(({ name }) => name));
  const members = Object.entries(template?.metadata ?? {});
  return {
    values: Object.fromEntries(members.filter(([name]) => chosen.has(name))),
    examples: Object.fromEntries(members.filter(([name]) => !chosen.has(name))),
  };
}

/** Fields that a template shows an example of, although most registrations leave them empty. */
const OPTIONAL: readonly string[] = ['client_uri'];

/** The fields that must be filled in, by the registry's rules or for this template, and all others. */
export function firstFields(
  fields: readonly FeatureField[],
  examples: TemplateStart['examples'],
): Record<'first' | 'others', readonly FeatureField[]> {
  const isFirst = ({ name, required }: FeatureField) =>
    required || (Object.hasOwn(examples, name) && !OPTIONAL.includes(name));
  return { first: fields.filter(isFirst), others: fields.filter((field) => !isFirst(field)) };
}

function isChosen({ type, allowed_values }: FeatureField): boolean {
  return type === 'boolean' || allowed_values !== undefined;
}
