import { Tooltip, UnstyledButton } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { FeatureField, Features, TaggedClient } from '../api/client-documents.js';
import { Icon } from '../elements/icon.js';
import { Panel } from '../elements/panel.js';
import { ScopedButton } from '../elements/scopes.js';
import type { Section } from '../metadata/sections.js';
import { text } from '../texts/client.js';
import classes from './client.module.css';
import { FieldRow } from './field-row.js';

interface SettingsCardProps {
  readonly section: Section;
  readonly features: Features;
  readonly tagged: TaggedClient;
  /** Another card has unsaved changes. */
  readonly busy: boolean;
  readonly onEdit: () => void;
}

/** One section of a client's settings; fields that are not set fold away. */
export function SettingsCard({ section, features, tagged, busy, onEdit }: SettingsCardProps) {
  const [unfolded, setUnfolded] = useState(false);
  const set = section.fields.filter((field) => isSet(field, tagged));
  const unset = section.fields.length - set.length;
  const shown = unfolded ? section.fields : set;
  const title = section.title;
  return (
    <Panel title={title} actions={<EditButton section={section} busy={busy} onEdit={onEdit} />}>
      {shown.length > 0 && (
        <dl className={classes.fields}>
          {shown.map((field) => (
            <FieldRow key={field.name} field={field} features={features} tagged={tagged} />
          ))}
        </dl>
      )}
      {unset > 0 && (
        <UnstyledButton
          className={classes.unfold}
          aria-expanded={unfolded}
          aria-label={text('client.unset.of', { count: unset, section: title })}
          onClick={() => setUnfolded(!unfolded)}
        >
          <Icon name="right" size={14} />
          {text('client.unset', { count: unset })}
        </UnstyledButton>
      )}
    </Panel>
  );
}

type EditButtonProps = Pick<SettingsCardProps, 'section' | 'busy' | 'onEdit'>;

/** Sections whose card has been edited: their button takes the focus back. */
let lastEdited: string | undefined;

function EditButton({ section, busy, onEdit }: EditButtonProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (lastEdited !== section.id) return;
    lastEdited = undefined;
    place.current?.querySelector<HTMLElement>('button')?.focus();
  }, [section.id]);
  if (!section.fields.some(({ editable }) => editable === 'always')) return null;
  const name = text('client.edit.section', { section: section.title });
  const button = (
    <ScopedButton
      scope="clients:write"
      variant="default"
      size="xs"
      leftSection={<Icon name="pencil" size={14} />}
      aria-label={name}
      {...(busy && { 'data-disabled': true, 'aria-disabled': true })}
      onClick={() => {
        if (busy) return;
        lastEdited = section.id;
        onEdit();
      }}
    >
      {text('client.edit')}
    </ScopedButton>
  );
  return (
    <div ref={place}>{busy ? <Tooltip label={text('client.edit.busy')}>{button}</Tooltip> : button}</div>
  );
}

/** Whether a field has a value, or a warning that it has none. */
function isSet({ name }: FeatureField, { client }: TaggedClient): boolean {
  const value = (client as unknown as Record<string, unknown>)[name];
  if (client.warnings.some(({ field }) => field.split('/')[1] === name)) return true;
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}
