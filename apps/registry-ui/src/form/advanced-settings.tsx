import { Stack, UnstyledButton } from '@mantine/core';
import { useId, useState } from 'react';
import type { FeatureField } from '../api/client-documents.js';
import { Icon } from '../elements/icon.js';
import { sectionsOf } from '../metadata/sections.js';
import { text } from '../texts/form.js';
import classes from './form.module.css';
import { FormSection } from './form-section.js';
import type { ClientForm } from './use-client-form.js';

interface AdvancedSettingsProps {
  readonly form: ClientForm;
  readonly fields: readonly FeatureField[];
  readonly examples: Readonly<Record<string, unknown>>;
  readonly opened: boolean;
  /** What the settings are while they are folded away. */
  readonly summary: string;
}

/** The settings that most registrations leave as they are. They unfold if one of them is invalid or warned of. */
export function AdvancedSettings(props: AdvancedSettingsProps) {
  const { form, fields, examples, summary } = props;
  const id = useId();
  const [opened, setOpened] = useState(props.opened);
  const needed = fields.some(
    ({ name }) =>
      form.shownViolations(name).length > 0 ||
      form.warnings.some(({ field }) => field.split('/')[1] === name),
  );
  const open = opened || needed;
  return (
    <div className={classes.advanced}>
      <UnstyledButton
        className={classes.toggle}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpened(!open)}
      >
        <Icon name="right" />
        <span className={classes.title}>{text('form.advanced')}</span>
        {!open && <span className={classes.summary}>{summary}</span>}
      </UnstyledButton>
      <Stack id={id} gap="md" hidden={!open}>
        {open &&
          sectionsOf(fields).map((section) => (
            <FormSection key={section.id} form={form} section={section} examples={examples} />
          ))}
      </Stack>
    </div>
  );
}
