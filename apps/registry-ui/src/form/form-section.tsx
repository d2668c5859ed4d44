import { UnstyledButton } from '@mantine/core';
import { useId, useState } from 'react';
import { Icon } from '../elements/icon.js';
import type { Section } from '../metadata/sections.js';
import { text } from '../texts/form.js';
import { FieldInput } from './field-input.js';
import classes from './form.module.css';
import type { ClientForm } from './use-client-form.js';

/** Open for nearly every client; other sections open when they contain something. */
const ALWAYS_OPEN: readonly string[] = ['identity', 'redirects', 'oauth'];

interface FormSectionProps {
  readonly form: ClientForm;
  readonly section: Section;
  readonly examples: Readonly<Record<string, unknown>>;
}

export function FormSection({ form, section, examples }: FormSectionProps) {
  const id = useId();
  const set = section.fields.filter(({ name }) => form.body[name] !== undefined).length;
  const [opened, setOpened] = useState(
    () => ALWAYS_OPEN.includes(section.id) || set > 0 || section.fields.some(({ name }) => name in examples),
  );
  const invalid = section.fields.some(({ name }) => form.shownViolations(name).length > 0);
  const open = opened || invalid;
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h2 style={{ margin: 0 }}>
        <UnstyledButton
          id={id}
          className={classes.toggle}
          aria-expanded={open}
          onClick={() => setOpened(!open)}
        >
          <Icon name="right" />
          {section.title}
          {!open && <span className={classes.summary}>{text('form.section.unset')}</span>}
        </UnstyledButton>
      </h2>
      {open && (
        <div className={classes.inputs}>
          {section.fields.map((field) => (
            <FieldInput key={field.name} form={form} field={field} example={examples[field.name]} />
          ))}
        </div>
      )}
    </section>
  );
}
