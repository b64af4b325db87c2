import { socketCell, socketTimesOf } from './cells.ts';
import { SOCKET_COVER } from './faults.ts';
import { matrix } from './matrix.ts';
import { SOCKET_FAULTS } from './socket-faults.ts';

matrix({
  name: 'over real sockets',
  faults: SOCKET_FAULTS,
  cover: SOCKET_COVER,
  cell: socketCell,
  timesOf: (_, fault) => socketTimesOf(fault),
});
