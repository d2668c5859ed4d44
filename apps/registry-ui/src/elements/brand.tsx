import { Group, Text } from '@mantine/core';
import { text } from '../texts/text.js';
import classes from './brand.module.css';

export function Brand() {
  return (
    <Group gap="sm" wrap="nowrap">
      <svg className={classes.sign} viewBox="0 0 32 32" aria-hidden focusable="false">
        <rect width="32" height="32" rx="8" />
        <path d="M10 10h12M10 16h12M10 22h7" />
      </svg>
      <Text fw={600} component="span">
        {text('app.name')}
      </Text>
    </Group>
  );
}
