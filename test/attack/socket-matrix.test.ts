import { socketCell, socketTimesOf } from './cells.ts';
import { matrix } from './matrix.ts';
import { SOCKET_FAULTS } from './socket-faults.ts';

matrix({
  name: 'over real sockets',
  faults: SOCKET_FAULTS,
  cell: socketCell,
  timesOf: (_, fault) => socketTimesOf(fault),
});
