import en from './en/import.json' with { type: 'json' };
import { withTexts } from './text.js';

export const { text } = withTexts(en);
