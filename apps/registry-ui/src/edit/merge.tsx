import { Button, Group, Radio, Stack } from '@mantine/core';
import type { SupportedField } from '@svc/client-metadata';
import { useEffect, useRef, useState } from 'react';
import type { ClientDocument } from '../api/client-documents.js';
import { toBody } from '../form/form-values.js';
import { Failure } from '../elements/failure.js';
import { Notice } from '../elements/notice.js';
import { text } from '../texts/text.js';
import classes from './merge.module.css';
import { merged, type MergeRow, mergeRows, type Side, sideOf } from './merge-changes.js';

interface MergeProps {
  readonly fields: readonly SupportedField[];
  /** The Client as it was when the form was opened, as it is now, and as the form would have it. */
  readonly before: ClientDocument;
  readonly theirs: ClientDocument;
  readonly mine: Readonly<Record<string, unknown>>;
  readonly saving: boolean;
  readonly failure: Error | undefined;
  readonly onSave: (body: object) => void;
  readonly onBack: () => void;
}

/** Two people changed one Client: field by field, whose change is kept. */
export function Merge({ fields, before, theirs, mine, saving, failure, onSave, onBack }: MergeProps) {
  const [sides, setSides] = useState<Readonly<Record<string, Side>>>({});
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    top.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, []);
  const names = fields.map(({ name }) => name);
  const body = (client: ClientDocument) => toBody(fields, members(client), members(client));
  const rows = mergeRows(names, body(before), body(theirs), mine);
  return (
    <Stack gap="lg" ref={top} tabIndex={-1} className={classes.merge}>
      <Notice kind="warn" role="alert" title={text('merge.title')}>
        <p>{text('merge.lead')}</p>
      </Notice>
      <div className={classes.rows}>
        {rows.map((row) => (
          <Row
            key={row.name}
            row={row}
            label={fields.find(({ name }) => name === row.name)?.label ?? row.name}
            side={sides[row.name] ?? sideOf(row)}
            onChoose={(side) => setSides({ ...sides, [row.name]: side })}
          />
        ))}
      </div>
      {failure && <Failure error={failure} />}
      <Group gap="sm">
        <Button loading={saving} onClick={() => onSave(merged(body(theirs), rows, sides))}>
          {text('merge.save')}
        </Button>
        <Button variant="subtle" color="gray" onClick={onBack}>
          {text('merge.back')}
        </Button>
      </Group>
    </Stack>
  );
}

interface RowProps {
  readonly row: MergeRow;
  readonly label: string;
  readonly side: Side;
  readonly onChoose: (side: Side) => void;
}

function Row({ row, label, side, onChoose }: RowProps) {
  return (
    <Radio.Group
      label={label}
      description={text(`merge.changedBy.${row.changedBy}`)}
      value={side}
      onChange={(value) => onChoose(value === 'theirs' ? 'theirs' : 'mine')}
      className={classes.row}
    >
      <div className={classes.sides}>
        {(['theirs', 'mine'] as const).map((which) => (
          <Radio.Card key={which} value={which} className={classes.side} aria-label={text(`merge.${which}`)}>
            <Radio.Indicator />
            <span className={classes.value}>
              <strong>{text(`merge.${which}`)}</strong>
              <Value of={row[which]} />
            </span>
          </Radio.Card>
        ))}
      </div>
      <p className="hint">
        {text('merge.before')} <Value of={row.before} />
      </p>
    </Radio.Group>
  );
}

function Value({ of: value }: { readonly of: unknown }) {
  if (value === undefined) return <span>{text('field.unset')}</span>;
  const lines = Array.isArray(value) ? value.map(String) : [String(value)];
  return lines.map((line) => (
    <bdi key={line} className={`foreign ${classes.line}`}>
      {line}
    </bdi>
  ));
}

function members(client: ClientDocument): Record<string, unknown> {
  return client as unknown as Record<string, unknown>;
}
