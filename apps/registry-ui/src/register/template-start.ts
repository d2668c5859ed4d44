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

function isChosen({ type, allowed_values }: FeatureField): boolean {
  return type === 'boolean' || allowed_values !== undefined;
}
