import en from './en/bulk.json' with { type: 'json' };
import { withTexts } from './text.js';

export const { text } = withTexts(en);
