import en from './en/cookies.json' with { type: 'json' };
import { withTexts } from './text.js';

export const { text } = withTexts(en);
