import en from './en/features.json' with { type: 'json' };
import { withTexts } from './text.js';

export const { text } = withTexts(en);

export type TextName = Parameters<typeof text>[0];
