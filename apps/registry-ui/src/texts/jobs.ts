import en from './en/jobs.json' with { type: 'json' };
import { withTexts } from './text.js';

export const { optionalText, text } = withTexts(en);
