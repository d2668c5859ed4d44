import preset, { sharedPostgres } from '../../jest.preset.js';

export default { ...preset, ...sharedPostgres, displayName: 'example-authorization-server' };
