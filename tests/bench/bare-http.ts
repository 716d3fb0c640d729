import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

// The reference for static pages: node:http sending the same bytes with nothing around it.
const [file, port] = process.argv.slice(2);
const body = readFileSync(file!);
createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': body.length });
  response.end(body);
}).listen(Number(port), '127.0.0.1');
