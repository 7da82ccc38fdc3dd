import { createServer } from 'node:http';

/* What the load itself can reach: a server that reads a body, checks nothing and keeps nothing. */

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(request.method === 'GET' ? 200 : 202).end());
});
server.listen(Number(process.env['PORT']), process.env['HOST']);
process.once('SIGTERM', () => {
  server.close(() => process.exit(0));
  server.closeIdleConnections();
});
