import { Anchor } from '@mantine/core';
import type { Violation } from '../api/api-error.js';
import { Warnings } from '../elements/warnings.js';
import { Notice } from '../elements/notice.js';
import { text } from '../texts/text.js';
import classes from './form.module.css';
import { inputId } from './input-help.js';
import type { ClientForm } from './use-client-form.js';
import { fieldOf } from './use-refusal.js';

const CHECKS_ID = 'form-checks';

/** Live validation results: unsafe settings are shown before the client is saved. */
export function FormChecks({ form }: { readonly form: ClientForm }) {
  const shown = form.violations.filter(({ field }) => form.shownViolations(fieldOf(field)).length > 0);
  return (
    <aside
      id={CHECKS_ID}
      tabIndex={-1}
      className={classes.checks}
      aria-label={text('form.checks')}
      aria-live="polite"
    >
      {shown.length > 0 && (
        <Notice kind="bad" title={text('form.issues', { count: shown.length })}>
          <ul>
            {shown.map((violation, index) => (
              <li key={index}>
                <ViolationLink violation={violation} form={form} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <Warnings warnings={form.warnings} />
      {form.violations.length === 0 && form.warnings.length === 0 && !form.failure && (
        <Notice kind="good" title={text('form.fine')} />
      )}
    </aside>
  );
}

function ViolationLink({ violation, form }: { readonly violation: Violation; readonly form: ClientForm }) {
  const name = fieldOf(violation.field);
  const known = form.fields.some((field) => field.name === name);
  if (!known) return violation.message;
  return (
    <Anchor component="button" type="button" inherit ta="left" onClick={() => focusField(name)}>
      {violation.message}
    </Anchor>
  );
}

export function focusChecks(): void {
  const checks = document.getElementById(CHECKS_ID);
  checks?.focus({ preventScroll: true });
  checks?.scrollIntoView({ block: 'nearest' });
}

/** Focuses a field's input; in a list, the first invalid row. @returns whether the form has such an input */
export function focusField(name: string): boolean {
  const place = document.getElementById(inputId(name));
  const input = place?.matches('input, textarea')
    ? place
    : (place?.querySelector<HTMLElement>('[aria-invalid=true]') ??
      place?.querySelector<HTMLElement>('input, textarea'));
  input?.focus();
  input?.scrollIntoView({ block: 'center' });
  return input !== null && input !== undefined;
}
