import { Anchor } from '@mantine/core';
import type { FieldProblem } from '../api/api-error.js';
import { Notice } from '../elements/notice.js';
import { WithReferences } from '../elements/with-references.js';
import { text } from '../texts/text.js';
import classes from './form.module.css';
import { inputId } from './input-help.js';
import { type ClientForm, fieldOf } from './use-client-form.js';

/** What is thought of the form as it stands: nobody makes an unsafe Client without having seen it here. */
export function FormChecks({ form }: { readonly form: ClientForm }) {
  const shown = form.problems.filter(({ field }) => form.shownProblems(fieldOf(field)).length > 0);
  return (
    <aside className={classes.checks} aria-label={text('form.checks')} aria-live="polite">
      {shown.length > 0 && (
        <Notice kind="bad" title={text('form.problems', { count: shown.length })}>
          <ul>
            {shown.map((problem, index) => (
              <li key={index}>
                <ToField problem={problem} form={form} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {form.warnings.length > 0 && (
        <Notice kind="warn" title={text('clients.warnings', { count: form.warnings.length })}>
          <ul>
            {form.warnings.map(({ field, code, message }) => (
              <li key={`${field} ${code}`}>
                <WithReferences>{message}</WithReferences>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {form.problems.length === 0 && form.warnings.length === 0 && (
        <Notice kind="good" title={text('form.fine')} />
      )}
    </aside>
  );
}

/** A problem that leads to its field. */
function ToField({ problem, form }: { readonly problem: FieldProblem; readonly form: ClientForm }) {
  const name = fieldOf(problem.field);
  const known = form.fields.some((field) => field.name === name);
  if (!known) return problem.message;
  return (
    <Anchor component="button" type="button" inherit ta="left" onClick={() => focusField(name)}>
      {problem.message}
    </Anchor>
  );
}

/** Leads the focus to a field's input. */
export function focusField(name: string): void {
  const place = document.getElementById(inputId(name));
  const input = place?.matches('input, textarea')
    ? place
    : place?.querySelector<HTMLElement>('input, textarea');
  input?.focus();
  input?.scrollIntoView({ block: 'center' });
}
