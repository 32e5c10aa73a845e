"""How a training picture may be varied: other light, other hues, noise, corners that are not quite right (needs torch)."""

# mypy: ignore-errors
from __future__ import annotations

import torch
from torch import Tensor, nn

from pi_board.vision.convolutions import SPREAD_FLOOR

#: How a picture may be varied: a gain for each colour (log), its hues turned (chance, radians), contrast (log), noise (chance, levels),
#: moved (px) and stretched (log).
_GAIN, _HUES, _TURN, _CONTRAST = 0.08, 0.35, 1.0, 0.08
_NOISE, _LEVELS, _SHIFT, _STRETCH = 0.4, 7.0, 0.7, 0.003
#: Shares of blue, green and red in grey.
_GREY = (0.114, 0.587, 0.299)


def varied(x: Tensor) -> Tensor:
    """(N, 3, H, W) 0..255 in other light: gains, contrast and noise, and its hues turned at one brightness."""
    n, on = len(x), x.device
    x = x * torch.exp(torch.randn(n, 3, 1, 1, device=on) * _GAIN)
    turned = torch.rand(n, device=on) < _HUES
    angle = torch.where(turned, torch.randn(n, device=on) * _TURN, torch.zeros(n, device=on))
    grey = (x * torch.tensor(_GREY, device=on)[None, :, None, None]).sum(1, keepdim=True)
    blue, red = x[:, :1] - grey, x[:, 2:] - grey
    c, s = torch.cos(angle)[:, None, None, None], torch.sin(angle)[:, None, None, None]
    blue, red = c * blue - s * red, s * blue + c * red
    green = -(_GREY[0] * blue + _GREY[2] * red) / _GREY[1]
    x = grey + torch.cat([blue, green, red], 1)
    middle = x.mean((1, 2, 3), keepdim=True)
    x = middle + (x - middle) * torch.exp(torch.randn(n, 1, 1, 1, device=on) * _CONTRAST)
    noisy = (torch.rand(n, 1, 1, 1, device=on) < _NOISE) * torch.rand(n, 1, 1, 1, device=on)
    return (x + torch.randn_like(x) * noisy * _LEVELS).clamp(0, 255)


def moved(x: Tensor) -> Tensor:
    """(N, 3, H, W) shifted and stretched a little, as by corners that are not quite right."""
    n, _, h, w = x.shape
    theta = torch.zeros(n, 2, 3, device=x.device)
    for axis, size in ((0, w), (1, h)):
        theta[:, axis, axis] = torch.exp(torch.randn(n, device=x.device) * _STRETCH)
        theta[:, axis, 2] = torch.randn(n, device=x.device) * _SHIFT * 2 / size
    grid = nn.functional.affine_grid(theta, x.shape, align_corners=False)
    return nn.functional.grid_sample(x, grid, padding_mode="border", align_corners=False)


def standardised(x: Tensor) -> Tensor:
    """(N, C, H, W) of mean 0 and spread about 1, each picture by itself, as `stacks.network_input` does it."""
    flat = x.flatten(1)
    spread = flat.std(1, correction=0) + SPREAD_FLOOR
    return (x - flat.mean(1)[:, None, None, None]) / spread[:, None, None, None]
