import { text } from '../texts/text.js';
import classes from './code-panel.module.css';
import { CopyButton } from './copy-button.js';
import { Panel } from './panel.js';

interface CodePanelProps {
  readonly title: string;
  readonly code: string;
}

export function CodePanel({ title, code }: CodePanelProps) {
  return (
    <Panel title={title} actions={<CopyButton value={code} what={title} />}>
      <pre
        className={`mono ${classes.code}`}
        tabIndex={0}
        role="region"
        aria-label={text('code.of', { title })}
      >
        {code}
      </pre>
    </Panel>
  );
}
