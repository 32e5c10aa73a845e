"""Train one network: `python -m pi_board.hints.training.train --class contact --data labels*.npz --out contact.npz`.

Supervised: cross-entropy against the six exclusive results (lose backgammon … win backgammon) of the labels plus the
squared error of the money equity, Adam with a cosine-shaped learning rate, seeded. Part of the data is held out and
never trained on (rows whose hash ends in 0 of 64).
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import torch
from numpy.typing import NDArray

from pi_board.hints.features import INPUT_COUNT, INPUTS, classify
from pi_board.hints.training.classes import CLASSES

_HASH = np.random.default_rng(64).integers(1, 2**63, 28, dtype=np.int64)
#: Value of the six results, worst first.
VALUES = torch.tensor([-3.0, -2.0, -1.0, 1.0, 2.0, 3.0])


def outcomes(probs: NDArray[np.float32]) -> NDArray[np.float32]:
    """(N, 5) cumulative probabilities → (N, 6) exclusive: lose bg, lose gammon, lose, win, win gammon, win bg."""
    w, wg, wb, lg, lb = probs.T
    six = np.stack([lb, lg - lb, 1 - w - lg, w - wg, wg - wb, wb], 1).clip(0)
    return (six / six.sum(1, keepdims=True)).astype(np.float32)


def load(paths: list[str], which: str) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    rows, probs = [], []
    for path in paths:
        with np.load(path) as data:
            keep = np.isin(classify(data["rows"]), CLASSES[which])
            rows.append(data["rows"][keep])
            probs.append(data["probs"][keep])
    return np.concatenate(rows), np.concatenate(probs)


def held_out(rows: NDArray[np.int8]) -> NDArray[np.bool_]:
    return ((rows.astype(np.int64) @ _HASH) >> 20) % 64 == 0


def build(inputs: int, hidden: list[int]) -> torch.nn.Sequential:
    layers: list[torch.nn.Module] = []
    for a, b in zip([inputs, *hidden], [*hidden, 6], strict=True):
        layers += [torch.nn.Linear(a, b), torch.nn.ReLU()]
    return torch.nn.Sequential(*layers[:-1])


def save(net: torch.nn.Sequential, path: str) -> None:
    arrays = {}
    for i, layer in enumerate(m for m in net if isinstance(m, torch.nn.Linear)):
        arrays[f"w{i}"] = layer.weight.detach().numpy().astype(np.float32)
        arrays[f"b{i}"] = layer.bias.detach().numpy().astype(np.float32)
    np.savez(path, **arrays)  # type: ignore[arg-type]


def load_into(net: torch.nn.Sequential, path: str) -> None:
    """Start from saved weights; a wider first layer than the saved one is filled up by `widen`."""
    with np.load(path) as data, torch.no_grad():
        arrays = {k: data[k].astype(np.float32) for k in data}
        width = next(m for m in net if isinstance(m, torch.nn.Linear)).out_features
        if width > len(arrays["b0"]):
            widen(arrays, width)
        for i, layer in enumerate(m for m in net if isinstance(m, torch.nn.Linear)):
            layer.weight.copy_(torch.from_numpy(arrays[f"w{i}"]))
            layer.bias.copy_(torch.from_numpy(arrays[f"b{i}"]))


def widen(arrays: dict[str, NDArray[np.float32]], width: int) -> None:
    """More units in the first layer, in place: perturbed copies of old ones, that start with hardly any say in the next."""
    rng = np.random.default_rng(width)
    w, b, after = arrays["w0"], arrays["b0"], arrays["w1"]
    pick = rng.permutation(len(w))[: width - len(w)]
    copies = w[pick] + rng.normal(0, 0.6, (len(pick), w.shape[1])) * w[pick].std(1, keepdims=True)
    say = rng.normal(0, 0.02 * after.std(), (len(after), len(pick)))
    arrays["w0"] = np.concatenate([w, copies]).astype(np.float32)
    arrays["b0"] = np.concatenate([b, b[pick]]).astype(np.float32)
    arrays["w1"] = np.concatenate([after, say], 1).astype(np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--class", dest="which", choices=CLASSES, required=True)
    parser.add_argument("--data", nargs="+", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument(
        "--start", help="weights to start from; their first layer may be narrower, up to half"
    )
    parser.add_argument("--hidden", default="256,32")
    parser.add_argument("--epochs", type=float, default=10)
    parser.add_argument("--minutes", type=float, default=1e9, help="stop the schedule after so long")
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--equity", type=float, default=2.0, help="weight of the equity error")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--half", action="store_true", help="multiply in bfloat16: twice as fast, for the first stages"
    )
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    rng = np.random.default_rng(args.seed)
    rows, probs = load(args.data, args.which)
    out = held_out(rows)
    test_rows, test_probs = rows[out][:60000], probs[out][:60000]
    rows, probs = rows[~out], probs[~out]
    kind = CLASSES[args.which][0]
    inputs = INPUTS[kind]
    net = build(INPUT_COUNT[kind], [int(h) for h in args.hidden.split(",")])
    if args.start:
        load_into(net, args.start)
    optimizer = torch.optim.Adam(net.parameters(), lr=args.rate, betas=(0.9, 0.99))
    total = max(1, int(args.epochs * len(rows) / args.batch))
    print(f"{args.which}: {len(rows)} positions, {len(test_rows)} held out, {total} steps", flush=True)
    test_x = torch.from_numpy(np.ascontiguousarray(inputs(test_rows).T))
    test_y = torch.from_numpy(outcomes(test_probs))
    started, losses = time.monotonic(), 0.0

    def measure() -> str:
        with torch.no_grad():
            parts = [torch.softmax(net(test_x[i : i + 8192]), 1) for i in range(0, len(test_x), 8192)]
            p = torch.cat(parts)
            eq = (p - test_y) @ VALUES
            win = (p[:, 3:].sum(1) - test_y[:, 3:].sum(1)).abs().mean()
        return f"equity error rms {eq.square().mean().sqrt():.5f} mean {eq.abs().mean():.5f}  win {win:.5f}"

    # Inputs are made once; half precision keeps two million positions within 1.4 GB.
    data = torch.empty((len(rows), INPUT_COUNT[kind]), dtype=torch.float16)
    for i in range(0, len(rows), 8192):
        data[i : i + 8192] = torch.from_numpy(inputs(rows[i : i + 8192])).T
    targets = torch.from_numpy(outcomes(probs))
    started = time.monotonic()
    print("start", measure(), flush=True)
    step = 0
    while step < total:
        order = torch.from_numpy(rng.permutation(len(rows)))
        for i in range(0, len(order) - args.batch + 1, args.batch):
            done = max(step / total, (time.monotonic() - started) / (60 * args.minutes))
            warm = min(1.0, (step + 1) / 200)
            for group in optimizer.param_groups:
                group["lr"] = args.rate * warm * (0.005 + 0.995 * 0.5 * (1 + np.cos(np.pi * min(done, 1.0))))
            index = order[i : i + args.batch]
            y = targets[index]
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=args.half):
                logits = net(data[index].to(torch.bfloat16) if args.half else data[index].float())
            log = torch.log_softmax(logits.float(), 1)
            entropy = (torch.xlogy(y, y) - y * log).sum(1).mean()
            equity = ((log.exp() - y) @ VALUES).square().mean()
            loss = entropy + args.equity * equity
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            losses = 0.99 * losses + 0.01 * float(loss.detach()) if step else float(loss.detach())
            step += 1
            if step % 1000 == 0:
                rate = step * args.batch / (time.monotonic() - started)
                print(f"{step:7d} loss {losses:.5f}  {measure()}  {rate:,.0f}/s", flush=True)
                save(net, args.out)
            if step >= total or time.monotonic() - started > 60 * args.minutes:
                break
        if (time.monotonic() - started) > 60 * args.minutes:
            break
    print("end", measure(), flush=True)
    save(net, args.out)


if __name__ == "__main__":
    main()
