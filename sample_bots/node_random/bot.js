// A bot that takes any offered step: a hash of the game and the ask chooses it.
//
// It reads the .proto files when it starts, so nothing is generated.

"use strict";

const path = require("node:path");
const grpc = require("@grpc/grpc-js");
const protoLoader = require("@grpc/proto-loader");

const PROTO = process.env.PARCHEESI_PROTO || path.join(__dirname, "..", "..", "proto");

function choose(ask) {
  let h = (Math.imul(ask.game, 2654435761) + Math.imul(ask.ask, 40503)) >>> 0;
  h = Math.imul(h ^ (h >>> 15), 2246822519) >>> 0;
  h = (h ^ (h >>> 13)) >>> 0;
  return ask.steps[h % ask.steps.length];
}

function answerTo(message) {
  return {
    readies: message.offers.map((offer) => ({ game: offer.game })),
    answers: message.asks.map((ask) => ({ game: ask.game, ask: ask.ask, steps: [choose(ask)] })),
  };
}

function main() {
  const definition = protoLoader.loadSync("parcheesi/v1/bot_gateway.proto", {
    includeDirs: [PROTO],
    keepCase: true, // names as in the .proto files
    longs: Number, // times of 64 bits as numbers, which are exact up to 285 years
    defaults: true, // lists that are empty are [], not missing
  });
  const { BotGateway } = grpc.loadPackageDefinition(definition).parcheesi.v1;
  const gateway = new BotGateway(process.env.PARCHEESI_ADDRESS, grpc.credentials.createInsecure());

  const metadata = new grpc.Metadata();
  metadata.set("authorization", `Bearer ${process.env.PARCHEESI_TOKEN}`);
  const stream = gateway.Play(metadata);

  stream.on("data", (message) => {
    const answer = answerTo(message);
    if (answer.readies.length || answer.answers.length) stream.write(answer);
  });
  stream.on("end", () => gateway.close());
  stream.on("error", (error) => {
    console.error(`the stream ended: ${grpc.status[error.code]}: ${error.details}`);
    process.exitCode = 1;
  });

  stream.write({ hello: { name: "node_random", version: "1.0.0", language: "javascript", games_at_once: 64 } });
}

main();
