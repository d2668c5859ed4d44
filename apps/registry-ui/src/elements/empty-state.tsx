import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';
import { Icon, type IconName } from './icon.js';

interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  /** What would be shown here, and how to get there. */
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

/** Shown in place of an empty list, with the next step. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <Stack gap="sm" align="center" className={classes.empty}>
      <span className={classes.sign}>
        <Icon name={icon} size={24} />
      </span>
      <Title order={2}>{title}</Title>
      <Text c="dimmed" ta="center" maw="52ch" component="div">
        {children}
      </Text>
      {action}
    </Stack>
  );
}
