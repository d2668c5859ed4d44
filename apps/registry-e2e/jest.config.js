import preset, { sharedPostgres } from '../../jest.preset.js';

export default { ...preset, ...sharedPostgres, displayName: 'registry-e2e' };
