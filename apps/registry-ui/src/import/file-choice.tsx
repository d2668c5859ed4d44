import { Button, FileButton, Stack } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { type DragEvent, useRef, useState } from 'react';
import { Icon } from '../elements/icon.js';
import { Notice } from '../elements/notice.js';
import { saveFile } from '../elements/save-file.js';
import { text } from '../texts/import.js';
import { formatNumber } from '../texts/text.js';
import classes from './import.module.css';

const KIB = 1024;

const EXTENSIONS = '.csv,.tsv,.json,.yaml,.yml,.ndjson,.jsonl';

interface FileChoiceProps {
  readonly file: File | undefined;
  /** Why the file cannot be imported. */
  readonly refusal: string | undefined;
  readonly disabled: boolean;
  readonly onChoose: (file: File) => void;
}

/** Accepts a file by button or drag and drop. */
export function FileChoice(props: FileChoiceProps) {
  const { file, refusal, disabled, onChoose } = props;
  const dropping = useDropping(disabled, onChoose);
  const clearInput = useRef<() => void>(null);
  const choose = (next: File | null) => {
    if (!next) return;
    onChoose(next);
    // Otherwise the browser would not report it when the same file is chosen again, corrected.
    clearInput.current?.();
  };
  return (
    <Stack gap="md">
      <div className={classes.drop} {...dropping}>
        <FileButton resetRef={clearInput} onChange={choose} accept={EXTENSIONS} disabled={disabled}>
          {(button) => (
            <Button
              {...button}
              variant={file ? 'default' : 'filled'}
              disabled={disabled}
              leftSection={<Icon name="upload" />}
            >
              {text(file ? 'import.chooseAnother' : 'import.choose')}
            </Button>
          )}
        </FileButton>
        {file ? (
          <span className={classes.file}>
            <bdi className="foreign">{file.name}</bdi>
            <span className={`numeric ${classes.soft}`}>
              {text('import.size', { size: formatNumber(Math.ceil(file.size / KIB)) })}
            </span>
          </span>
        ) : (
          <span className={classes.soft}>{text('import.format')}</span>
        )}
      </div>
      {!file && <Samples />}
      {refusal !== undefined && <Notice kind="bad" role="alert" title={refusal} />}
    </Stack>
  );
}

/** Files to start from. */
function Samples() {
  return (
    <p className={classes.samples}>
      {text('import.samples')}
      {SAMPLES.map(({ name, type, content }) => (
        <Button
          key={name}
          variant="subtle"
          size="compact-sm"
          leftSection={<Icon name="download" />}
          onClick={() => saveFile(new Blob([content], { type }), name)}
        >
          {name}
        </Button>
      ))}
    </p>
  );
}

/** Props of a drop target. Files dropped elsewhere are ignored. */
function useDropping(disabled: boolean, onDropped: (file: File) => void) {
  const [over, setOver] = useState(false);
  // Otherwise the browser would leave the console and open the file.
  useWindowEvent('dragover', preventDefault);
  useWindowEvent('drop', preventDefault);
  return {
    'data-over': over || undefined,
    onDragOver: () => {
      setOver(!disabled);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false);
      const [file] = event.dataTransfer.files;
      if (file && !disabled) onDropped(file);
    },
  };
}

function preventDefault(event: Event): void {
  event.preventDefault();
}

/** A file to start from, for each format that is written by hand. */
const SAMPLES = [
  {
    name: 'clients.csv',
    type: 'text/csv',
    content: `client_id,client_name,redirect_uris,token_endpoint_auth_method
wiki,Wiki,https://wiki.example.com/callback,client_secret_basic
,Mobile app,https://mobile.example.com/callback,none
`,
  },
  {
    name: 'clients.yaml',
    type: 'application/yaml',
    content: `- client_id: wiki
  client_name: Wiki
  redirect_uris:
    - https://wiki.example.com/callback
- client_name: Shop
  redirect_uris:
    - https://shop.example.com/callback
    - https://staging.shop.example.com/callback
  labels:
    team: shop
`,
  },
  {
    name: 'clients.ndjson',
    type: 'application/x-ndjson',
    content: `{"client_id":"wiki","client_name":"Wiki","redirect_uris":["https://wiki.example.com/callback"]}
{"client_id":"shop","client_name":"Shop","redirect_uris":["https://shop.example.com/callback"]}
`,
  },
] as const;
