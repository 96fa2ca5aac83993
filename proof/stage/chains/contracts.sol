// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/** As much of an ERC-20 token as a payment needs. */
contract Token {
  event Transfer(address indexed from, address indexed to, uint256 value);

  mapping(address => uint256) public balanceOf;

  constructor(uint256 supply) {
    balanceOf[msg.sender] = supply;
    emit Transfer(address(0), msg.sender, supply);
  }

  function transfer(address to, uint256 value) external returns (bool) {
    require(balanceOf[msg.sender] >= value, "too little");
    balanceOf[msg.sender] -= value;
    balanceOf[to] += value;
    emit Transfer(msg.sender, to, value);
    return true;
  }
}

/** A contract that pays for its caller: tokens that it holds, or the coins that come with the call. */
contract Payer {
  event Note(string text);

  function payToken(Token token, address to, uint256 first, uint256 second) external {
    emit Note("two transfers");
    token.transfer(to, first);
    token.transfer(to, second);
  }

  function payCoins(address payable to) external payable {
    (bool sent, ) = to.call{value: msg.value}("");
    require(sent, "not sent");
  }

  function refuse() external payable {
    revert("refused");
  }
}
